import { getDemo, makeDemo } from "../../../../contract/operations/demo.ts";
import type { StartDemo } from "../../../domain/demo/service.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function demoRoutes(serve: Serve, services: Pick<Services, "demos">, start: StartDemo): void {
  serve(getDemo, async ({ actor }) => one("demo", await services.demos.status(actor)));
  serve(makeDemo, async ({ actor }) => one("demo", await services.demos.begin(actor, start)));
}
