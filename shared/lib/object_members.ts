/** True for a name that every JavaScript object has, and which a lookup would find by mistake. */

export function isObjectMember(name: string): boolean {
  return name in Object.prototype;
}
