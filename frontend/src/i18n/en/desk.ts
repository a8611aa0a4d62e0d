export const desk = {
  title: "Desk",
  chars: "{{n}} characters",
  parts: "Parts of the desk",
  part: { chapters: "Chapters", text: "Text", discussion: "Discussion" },
  focus: "Only the text",
  unfocus: "Show all again",
  bookMenu: "Book",
  panel: {
    timeline: "History",
    compare: "Compare",
    replace: "Find and replace",
    export: "Export",
    import: "Bring in chapters",
  },
};
