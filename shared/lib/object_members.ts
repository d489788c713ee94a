/** Names that every object of JavaScript answers to: a name of an author's that is one of them is found where nothing has it. */

export function isObjectMember(name: string): boolean {
  return name in Object.prototype;
}
