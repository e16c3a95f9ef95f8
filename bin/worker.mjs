#!/usr/bin/env node
/** `npm run worker`: delivers webhooks beside services that share one PostgreSQL. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["server", "worker.ts"] });
