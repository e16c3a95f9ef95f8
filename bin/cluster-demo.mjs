#!/usr/bin/env node
/** `npm run cluster-demo`: runs a cluster of services and workers on this machine, and kills each of them under load. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bench", "cluster", "main.ts"], needsClient: true });
