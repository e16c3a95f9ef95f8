import * as tags from "../../../../contract/operations/tags.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function tagRoutes(serve: Serve, services: Services, present: FilePresenters): void {
  serve(tags.correctTags, async ({ actor, params, body }) => {
    await services.tagCorrections.correct(actor, params.file_id, body);
    const { view, found } = await services.entries.findings(actor, params.file_id);
    return present.presentInfo(view, found);
  });
  serve(tags.regenerateTags, async ({ actor, params }) =>
    one("file", present.presentCommon(await services.versions.process(actor, params.file_id, ["music", "labels"]))),
  );
}
