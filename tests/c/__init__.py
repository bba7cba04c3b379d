"""The C core of a device, held against the text, against our own firmware and against sanitizers."""
