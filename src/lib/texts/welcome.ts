import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  title: "How do you want to start?",
  lead: "{organisation} is set up, and you're its owner.",
  demo: "Explore a demo project",
  demoHelp: "A small studio with four songs, their mixes and three weeks of chat. It is ready in a few seconds.",
  empty: "Start from scratch",
  emptyHelp: "Create your own first project. You can still add the demo until then.",
  creating: "Creating the demo",
  creatingHelp: "You can close this page; it continues in the background.",
  people: "Adding six people…",
  songs: "Adding the songs…",
  chat: "Writing chat history…",
  listening: "Analyzing the files…",
  progress: "Demo project",
  failed: "Couldn't finish the demo",
  failedHelp: "{reason} What was created so far is kept. Try again to continue from there.",
  skipDemo: "Continue without the demo",
  loading: "Loading",
});
