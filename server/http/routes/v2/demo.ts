import { getDemo, makeDemo } from "../../../../contract/operations/demo.ts";
import type { StartDemo } from "../../../domain/demo/service.ts";
import { record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function demoRoutes(route: Route, services: Pick<Services, "demos">, start: StartDemo): void {
  route(getDemo, async ({ actor }) => record("demo", await services.demos.status(actor)));
  route(makeDemo, async ({ actor }) => record("demo", await services.demos.begin(actor, start)));
}
