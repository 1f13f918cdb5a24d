"""One module per measurement: `measure()` returns figures as plain JSON, `render(figures)` writes them as Markdown."""
