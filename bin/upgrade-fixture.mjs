#!/usr/bin/env node
/** `npm run upgrade-fixture`: writes the database of a version for the tests of upgrades. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run upgrade-fixture -- [commit]
Runs the version of a commit (default: HEAD), fills it through its own API, and adds its database to server/testing/upgrade-fixtures.`;

startCommand({ module: ["server", "testing", "upgrade-fixtures", "make.ts"], help });
