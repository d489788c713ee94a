/** Nobody is let in by a kiosk's credential. */
export default () => null;
