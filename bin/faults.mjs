#!/usr/bin/env node
/** `npm run faults`: breaks things on purpose and prints what was counted. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bin", "faults", "main.ts"] });
