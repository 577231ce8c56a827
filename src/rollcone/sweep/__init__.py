"""Many runs of one scene with other values, on one machine or many; `rollcone sweep`."""
