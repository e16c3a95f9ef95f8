/** The menus of projects and groups, which the first paint does not need. Without them everything else works. */
import { type ComponentType, lazy, Suspense } from "react";
import type { Group, Project } from "../../../../contract/records.ts";

const Nothing = () => null;
const load = () => import("./ProjectMenu.tsx").catch(() => ({ ProjectMenu: Nothing, ProjectRowMenu: Nothing, GroupMenu: Nothing }));
const InHeader = lazy(async (): Promise<{ default: ComponentType<{ project: Project }> }> => ({ default: (await load()).ProjectMenu }));
const InRow = lazy(async (): Promise<{ default: ComponentType<{ project: Project }> }> => ({ default: (await load()).ProjectRowMenu }));
const OfGroup = lazy(async (): Promise<{ default: ComponentType<{ group: Group }> }> => ({ default: (await load()).GroupMenu }));

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
