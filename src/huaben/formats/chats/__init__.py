"""Chats of many programs to messages and turns, and back without loss; pure."""
