export const settings = {
  title: "Settings",
  pictures: "Pictures from elsewhere",
  picturesAbout:
    "Pictures in stories are fetched from these hosts and from no others. Who runs a host sees that you read.",
  host: "Name of a host",
  allow: "Allow",
  forbid: "No longer allow {{host}}",
  badHost: "That is not the name of a host. Give a name such as pictures.example.org.",
  nextLoad: "It holds from the next load of the page on.",
  reload: "Load it now",
};
