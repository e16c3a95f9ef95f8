#!/usr/bin/env node
/** `npm run demo:render`: renders the songs and pictures of the demo. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run demo:render
Replaces the files of the demo in server/modules/demo/assets: renders its songs, drawings and session notes. Takes some minutes.`;

startCommand({ module: ["tools", "demo-render", "main.ts"], help });
