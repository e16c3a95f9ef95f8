#!/usr/bin/env node
/** `npm run bench`: measures everything in docs/benchmarks.md against yardsticks of the same run. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run bench                       every row of docs/benchmarks.md, in under 10 minutes
npm run bench -- <name> …           some of them, or an extra one
npm run bench -- --list             the names
npm run bench -- --markdown         the table of the last run, for docs/benchmarks.md
  --keep    keeps the data set (700 MB in .cache/bench) for the next run
  --quick   short, with little data: shows that everything works, not how fast it is`;

startCommand({ module: ["bench", "main.ts"], needsClient: true, help });
