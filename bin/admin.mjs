#!/usr/bin/env node
/** `npm run admin -- <command>`: works on the data directly and may run beside a running service. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["server", "cli", "main.ts"] });
