"""Who is measured, where it is installed, and which functions are called."""

from dataclasses import dataclass, field

__all__ = ["CONTESTANTS", "ENVIRONMENTS", "Contestant"]

PYDANTIC = "pydantic==2.14.3"
"""One version for all, so that bare work is the same everywhere."""

ENVIRONMENTS = {
    "pydantic-ai": ("pydantic-ai-slim==2.68.0", PYDANTIC),
    "langchain": (
        *("langchain==1.4.7", "langchain-core==1.7.2"),
        *("langgraph==1.2.22", "langgraph-prebuilt==1.1.2", PYDANTIC),
    ),
    "openai-agents": ("openai-agents==0.24.0", PYDANTIC),
    "fastmcp": ("fastmcp==4.1.2", PYDANTIC),
    "strands": ("strands-agents==1.62.0", PYDANTIC),
}
"""Environments by name, and what is installed in each."""


@dataclass(frozen=True)
class Contestant:
    """One way to a tool.

    Attributes:
        key: As named on the command line.
        title: As named in the page.
        worker: Module of `peers` and class in it.
        environment: Key of `ENVIRONMENTS`; None is the interpreter that runs the benchmark.
        path: What exactly is called.
        whole: What a whole turn is; empty if it is not measured.
        variables: Set for its process.
    """

    key: str
    title: str
    worker: str
    environment: str | None
    path: str
    whole: str = ""
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        """Whether it is handrail."""
        return self.environment is None


CONTESTANTS = (
    Contestant(
        "handrail-long",
        "handrail, one long turn",
        "for_handrail:Long",
        None,
        "`Turn.answer_sync(ToolCall(...), chain=id)`, fifty calls to a turn, then `result.content`",
    ),
    Contestant(
        "handrail",
        "handrail, a turn per call",
        "for_handrail:Each",
        None,
        "`with Toolbox.turn()`, `Turn.answer_sync(ToolCall(...))`, `result.content`",
    ),
    Contestant(
        "handrail-take",
        "handrail, whole replies",
        "for_handrail:Take",
        None,
        "`async with Toolbox.turn()`, `await Turn.take(reply)` of an OpenAI chat completion, "
        "`answers.to_messages()`",
        "`await Toolbox.run(ScriptedModel(...), messages)`",
    ),
    Contestant(
        "pydantic-ai",
        "pydantic-ai",
        "for_pydantic_ai:Managed",
        "pydantic-ai",
        "`await ToolManager.handle_call(ToolCallPart(...))` on a `FunctionToolset`, no "
        "capabilities; a refusal is read by `ToolRetryError.tool_retry.model_response_str()`; two "
        "rounds resolve the tools for each, by `ToolManager.for_run_step`, as a run does",
        "`await Agent.run` with a `FunctionModel`",
    ),
    Contestant(
        "langchain-tool",
        "LangChain, the tool alone",
        "for_langchain:Invoked",
        "langchain",
        "`await StructuredTool.ainvoke(tool_call)` with `handle_validation_error=str`, after "
        "`json.loads` of the arguments",
    ),
    Contestant(
        "langchain",
        "LangChain, `ToolNode`",
        "for_langchain:Node",
        "langchain",
        "`await graph.ainvoke` of a compiled `StateGraph` whose one node is `ToolNode([tool])`, "
        "its errors handled by default, after `json.loads` and `AIMessage(tool_calls=...)`",
        "`await create_agent(...).ainvoke` with a `FakeMessagesListChatModel`",
    ),
    Contestant(
        "openai-agents",
        "openai-agents",
        "for_openai_agents:Invoked",
        "openai-agents",
        "`await FunctionTool.on_invoke_tool(ToolContext(...), arguments)`, errors told by default; "
        "tracing off",
        "`await Runner.run` with a `Model` of our own",
    ),
    Contestant(
        "openai-agents-told",
        "openai-agents, errors told",
        "for_openai_agents:Told",
        "openai-agents",
        "the same with a `failure_error_function` that gives the model the error's text, and "
        "`OPENAI_AGENTS_DONT_LOG_TOOL_DATA=0`, without which that text does not say what is wrong",
        "`await Runner.run` with a `Model` of our own",
        {"OPENAI_AGENTS_DONT_LOG_TOOL_DATA": "0"},
    ),
    Contestant(
        "fastmcp",
        "FastMCP",
        "for_fastmcp:Server",
        "fastmcp",
        "`await FastMCP.call_tool(name, arguments)` on the server, after `json.loads`; a refusal "
        "is the text of the exception",
        "no agent: two `Client.call_tool` over the in-memory transport, connected once",
        {"FASTMCP_LOG_ENABLED": "false"},
    ),
    Contestant(
        "strands",
        "strands-agents",
        "for_strands:Streamed",
        "strands",
        "`AgentTool.stream(tool_use, {})` of a decorated function to its last event, after "
        "`json.loads`; without the hooks and telemetry of its executor, whose public door "
        "`agent.tool.NAME` adds a thread",
        "`await Agent.invoke_async` with a `Model` of our own",
    ),
)
"""All of them, in the order of the page."""
