/** The menus of projects and groups, which the first paint does not need. Without them everything else works. */
import { Suspense } from "react";
import type { Group, Project } from "../../../../contract/records.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";

const load = () => import("./ProjectMenu.tsx");
const InHeader = lazyPart(async () => (await load()).ProjectMenu);
const InRow = lazyPart(async () => (await load()).ProjectRowMenu);
const OfGroup = lazyPart(async () => (await load()).GroupMenu);

export const ProjectMenu = ({ project }: { project: Project }) => (
  <Suspense fallback={<span className="size-8 max-tablet:size-10" />}>
    <InHeader project={project} />
  </Suspense>
);
/** Opens also on a right click in the surrounding `data-menu-row`; so does the next one. */
export const ProjectRowMenu = ({ project }: { project: Project }) => (
  <Suspense>
    <InRow project={project} />
  </Suspense>
);
export const GroupMenu = ({ group }: { group: Group }) => (
  <Suspense>
    <OfGroup group={group} />
  </Suspense>
);
