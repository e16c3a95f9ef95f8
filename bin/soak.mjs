#!/usr/bin/env node
/** `npm run test:soak`: runs the browser tests repeatedly. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "testing", "soak.ts"] });
