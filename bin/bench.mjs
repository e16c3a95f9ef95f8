#!/usr/bin/env node
/** `npm run bench`: measures everything in docs/benchmarks.md against yardsticks of the same run. `npm run bench -- --help` explains it. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bench", "main.ts"], needsClient: true });
