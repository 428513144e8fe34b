/* A disk with faults: what a program that is linked with this writes goes through it. */
#ifndef TESTS_STORE_FAULTS_H
#define TESTS_STORE_FAULTS_H

#include <stdatomic.h>

extern atomic_int faults_errno;    /* not 0: writing fails with it, at times after a part was written */
extern atomic_bool faults_stuck;   /* writing waits as long as it is set */
extern atomic_int faults_delay_us; /* of each writing */
extern atomic_int faults_writes;   /* how often it was asked to */

#endif
