#!/usr/bin/env node
/** `npm run receiver`: a local webhook receiver that checks signatures and prints what it receives. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bin", "receiver", "main.ts"] });
