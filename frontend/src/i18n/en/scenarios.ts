export const scenarios = {
  title: "Scenarios",
  choose: "Scenario of this story",
  chooseAbout: "From the next turn on. What is told stays as it is.",
  performers: {
    stage: "Draft sheet: the model writes, reads over and changes before it seals.",
    actor:
      "One generation: what the model says is the prose. For speed, and for models without tools.",
    showrunner: "A showrunner directs the voice, pictures and changes of the world.",
    writing: "For writing projects.",
  },
  planner: "A planner works beside the story.",
  lacks: {
    image: "No connection draws pictures: turns go without. Give one the role Pictures.",
  },
  values_one: "{{count}} setting",
  values_other: "{{count}} settings",
};
