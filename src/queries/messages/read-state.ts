/** Tracks what is read: the unread counts of the project list, and the read markers of others. */
import type { ProjectActivity } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Project, MemberReadMarker, ReadMarker } from "../../../contract/records.ts";

export const readerKeys = { all: ["readers"] as const, project: (projectId: number) => ["readers", projectId] as const };

type Projects = readonly Project[];

/** Records a new message, which counts once however often it is reported. `seen`: the user is looking at it right now. */
export function recordActivity(projects: Projects, activity: ProjectActivity, reader: { accountId: number; seen: boolean }): Projects {
  return patchProject(projects, activity.project_id, (project) => {
    if (activity.message_id <= (project.last_message_id ?? 0)) return project;
    // A project that the user does not follow has nothing unread.
    const isUnread = project.last_read_message_id !== null && activity.account_id !== reader.accountId && !reader.seen;
    const isMention = isUnread && activity.mentions?.includes(reader.accountId) === true;
    return {
      ...project,
      last_message_id: activity.message_id,
      unread_count: isUnread ? Math.min(project.unread_count + 1, LIMITS.unread_count_max) : project.unread_count,
      ...(isMention ? { mention_count: Math.min((project.mention_count ?? 0) + 1, LIMITS.unread_count_max) } : {}),
    };
  });
}

/**
 * Applies a read marker that moved here or in another browser. Only "mark unread" moves it back: its response passes `canMoveBack`, as do events,
 * which arrive in order. A late response never moves the marker back.
 */
export function applyReadMarker(projects: Projects, marker: ReadMarker, { canMoveBack = false } = {}): Projects {
  return patchProject(projects, marker.project_id, (project) => {
    if (!canMoveBack && (marker.last_read_message_id ?? 0) < (project.last_read_message_id ?? 0)) return project;
    const { last_read_message_id, unread_count, mention_count = 0 } = marker;
    if (last_read_message_id === project.last_read_message_id && unread_count === project.unread_count && mention_count === (project.mention_count ?? 0))
      return project;
    return { ...project, last_read_message_id, unread_count, mention_count };
  });
}

/** Applies the read marker of another reader, which only moves forward, whatever the order of updates. */
export function withMemberReadMarker(markers: MemberReadMarker[] | undefined, marker: MemberReadMarker): MemberReadMarker[] | undefined {
  if (!markers) return markers;
  const existing = markers.find(({ account_id }) => account_id === marker.account_id);
  if (!existing) return [...markers, marker];
  return marker.last_read_message_id > existing.last_read_message_id ? markers.map((current) => (current === existing ? marker : current)) : markers;
}

function patchProject(projects: Projects, projectId: number, patch: (project: Project) => Project): Projects {
  const index = projects.findIndex((project) => project.id === projectId);
  const project = projects[index];
  if (!project) return projects;
  const patched = patch(project);
  return patched === project ? projects : projects.with(index, patched);
}
