"""What Alembic runs: the steps up, in the transaction of the store that opens."""

from alembic import context

from handrail.stores.schema import VERSION_TABLE

__all__: list[str] = []

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
