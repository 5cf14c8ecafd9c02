"""The promises of docs/reliability.md: what breaks the project on purpose, and programs that tests run."""
