#!/usr/bin/env node
/** `npm run cluster-demo`: runs a cluster of services and workers on this machine, and kills each of them under load. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run cluster-demo -- [options]
Runs three services, two delivery workers, two media workers, PostgreSQL and an object store on this machine, kills each of them
under load, and prints what was lost or doubled. Needs PostgreSQL.

  --seconds N           how long the load lasts, 10 to 600 (default: 70); starting and the rest take a minute or two more
  --port N              port of the one address (default: a free one)
  --demo-keep-running   leaves the cluster up afterwards, for a browser, until Ctrl+C`;

startCommand({ module: ["bench", "cluster", "main.ts"], needsClient: true, help });
