#!/usr/bin/env node
/** `npm run screens`: screenshots of every view in every state. With --readme, only the one in the README. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["e2e", "screens", "main.ts"] });
