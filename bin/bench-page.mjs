#!/usr/bin/env node
/** `npm run bench:page`: measures the memory of the page with an hour of audio. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bench", "page", "memory.ts"] });
