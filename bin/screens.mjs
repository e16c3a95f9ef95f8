#!/usr/bin/env node
/** `npm run screens`: screenshots of every view in every state. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run screens -- [options]
Renders every view in both themes and several widths from a real service into screens/, in about ten minutes.

  --only=chat,file-image   only views and states that start with one of these; keeps the other images
  --readme                 only the image in README.md, which it replaces`;

startCommand({ module: ["e2e", "screens", "main.ts"], help });
