/** Who walks, and whose mail is whose. */
import { SYSADMIN_EMAIL } from "./walked_api.ts";

export const PEOPLE = ["stranger", "other stranger", "owner", "operator"] as const;

export type Person = typeof PEOPLE[number];

/** Addresses, and who reads the mail of each. */
const READERS: Readonly<Record<string, Person>> = {
  "owner@example.com": "owner",
  "owner.new@example.com": "owner",
  [SYSADMIN_EMAIL]: "operator",
  "stranger@example.com": "stranger",
  "other@example.com": "other stranger",
};

/** Addresses that somebody gives for their own, the likeliest first. */
export const TRIED: Readonly<Record<Person, readonly string[]>> = {
  stranger: ["owner@example.com", SYSADMIN_EMAIL, "stranger@example.com", "owner.new@example.com"],
  "other stranger": ["other@example.com", "owner@example.com", "stranger@example.com"],
  owner: ["owner@example.com", "owner.new@example.com"],
  operator: [SYSADMIN_EMAIL],
};

/** Of somebody who invites or moves: the first is the likeliest. */
export const ADDRESSES = Object.keys(READERS);

export function readerOf(address: string): Person {
  const reader = READERS[address.toLowerCase()];
  if (reader === undefined) throw new Error(`Nobody reads the mail of ${address}`);
  return reader;
}

/** Addresses whose mail somebody reads, the likeliest first. */
export function mailboxesOf(person: Person): readonly string[] {
  return ADDRESSES.filter((address) => READERS[address] === person);
}
