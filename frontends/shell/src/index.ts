// The shared modules must be settled before anything imports them: hence the second step.
import('./bootstrap.tsx');
