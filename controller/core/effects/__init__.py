"""What an allowed act changes, besides the steps of session and round."""
