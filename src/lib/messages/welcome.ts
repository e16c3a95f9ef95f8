import { defineMessages } from "./define.ts";

export const t = defineMessages({
  title: "How do you want to begin?",
  lead: "{organisation} is set up, and you are its owner.",
  demo: "Look around with a demo project",
  demoHelp: "A small studio with four songs, their mixes and three weeks of chat. Talkback plays the songs itself, which takes about half a minute.",
  empty: "Start empty",
  emptyHelp: "Make your own first project. The demo stays one click away until you have one.",
  making: "The demo is on its way",
  makingHelp: "You may close this page or load it again: it goes on without you.",
  people: "Inviting six people…",
  songs: "Playing the songs…",
  chat: "Living three weeks of chat…",
  listening: "Listening to everything…",
  progress: "Demo project",
  failed: "The demo could not be finished",
  failedHelp: "{reason} What is there stays, and another try goes on from there.",
  again: "Try again",
  without: "Go on without it",
  loading: "Loading",
});
