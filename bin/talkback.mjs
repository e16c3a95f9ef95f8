#!/usr/bin/env node
/** `npm start`: installs, builds and starts the service. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["server", "main.ts"], needsClient: true });
