import { defineTexts } from "./define-texts.ts";

/** Texts about the local time of people, and of the card about a person. */
export const t = defineTexts({
  localTime: "{time} local time",
  localTimeOff: "{time} local time, outside working hours",
  ahead: { one: "{count} hour ahead of you", other: "{count} hours ahead of you" },
  behind: { one: "{count} hour behind you", other: "{count} hours behind you" },
  workingHours: "Working hours: {hours}",
  offHours: "Outside working hours",
  offHoursOfOne: "{name} is outside their working hours.",
  offHoursOf: "It's {time} for {name}, outside their working hours.",
  offHoursOfMany: { one: "{names} and {count} more are outside their working hours.", other: "{names} and {count} more are outside their working hours." },
  offHoursOfTwo: "{first} and {second} are outside their working hours.",
  profileOf: "Profile of {name}",
  viewProfile: "View profile",
  editProfile: "Edit profile",
  agent: "Agent",
  aboutAgent: "About this agent",
  you: "you",
});
