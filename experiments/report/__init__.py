"""A report of tables, pictures and text, written as HTML, Markdown and CSV."""
