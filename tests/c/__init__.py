"""The C core of a device, compared with the text, with our own firmware and with sanitizers."""
