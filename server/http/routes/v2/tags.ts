import * as tags from "../../../../contract/operations/tags.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function tagRoutes(route: Route, services: Services, present: FilePresenters): void {
  route(tags.correctTags, async ({ actor, params, body }) => {
    await services.tagCorrections.correct(actor, params.file_id, body);
    const { view, results: processingResults } = await services.entries.infoWithResults(actor, params.file_id, null);
    return present.presentInfo(view, processingResults);
  });
  route(tags.regenerateTags, async ({ actor, params }) =>
    record("file", present.presentCommon(await services.versions.process(actor, params.file_id, ["music", "labels"]))),
  );
}
