#!/usr/bin/env node
/** `npm test` and, with `--check`, `npm run check`. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm test             checks, then all tests
npm test -- <text>   the tests whose path contains the text, or else whose title does
npm run check        the checks only: lint, format, types, imports, unused code, texts, sizes

PostgreSQL is used where it is installed, or where TEST_DATABASE_URL points.`;

startCommand({ module: ["bin", "testing", "main.ts"], help });
