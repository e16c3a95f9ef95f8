import { hueOfItem } from "../../lib/hue.ts";

/** The color of a project, as the picture of its row in a list. */
export const ProjectDot = ({ project }: { project: { id: number; color?: number | null | undefined } }) => (
  <span aria-hidden className="flex size-8 shrink-0 items-center justify-center rounded-md bg-hover">
    <span data-hue={hueOfItem(project)} className="hue-dot size-2.5 rounded-[2px]" />
  </span>
);
