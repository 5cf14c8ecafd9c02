"""What several test files share: matches in memory, hosts at a desk, whole conversations, sizes, hostile texts."""
