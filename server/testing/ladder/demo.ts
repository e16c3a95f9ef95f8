import { expect } from "vitest";
import { getDemo as status, makeDemo as make } from "../../../contract/operations/demo.ts";
import { createWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import { openRun, takeRun } from "../../domain/demo/run.ts";
import { MINUTE } from "../../lib/clock.ts";
import { newWorldWithOwner } from "../people.ts";
import type { Case } from "./case.ts";
