export const roster = {
  people: "People",
  items: "Things",
  places: "Places",
  threads: "Threads",
  find: "Find a name",
  unknown: "time not known",
  empty: "Nobody and nothing has appeared yet. The scribe writes names down after each turn.",
  noneLike: "No name has “{{wanted}}” in it.",
};
