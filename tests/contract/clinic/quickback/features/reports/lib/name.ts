export const NAME = "house";
