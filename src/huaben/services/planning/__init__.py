"""The planner's place in the house: when it is scheduled, what it looks at, how its plan is read and changed."""
