"""From frames to readings: motion gate, reader, and the watcher that joins them."""
