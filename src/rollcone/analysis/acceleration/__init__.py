"""Contact at the level of accelerations (Pang and Trinkle 1996): what happens next, is there an
answer, is there only one."""
