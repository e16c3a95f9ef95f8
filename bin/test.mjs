#!/usr/bin/env node
/** `npm test` and, with `--check`, `npm run check`. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bin", "testing", "main.ts"] });
