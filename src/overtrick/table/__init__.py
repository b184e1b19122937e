"""The table in the browser: the service, its tables, seats, events and storage."""
