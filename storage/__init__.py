"""PostgreSQL: the connection, the migrations, the records of a conversation, and the demo shop."""
