import type { Project } from "../../../contract/records.ts";
import { projectItem } from "../../queries/favorites/listed-items.ts";
import { FavoriteButton } from "./FavoriteButton.tsx";

/** The favorite button of a project. */
export function ProjectFavoriteButton({ project }: { project: Project }) {
  return <FavoriteButton item={projectItem(project)} />;
}
