/* Of struct queue, users know the name only; nobody defines struct nothing; struct mode is another one in each file. */
typedef struct queue *queue_t;
struct nothing;
struct mode;
queue_t queue_make(void);
struct mode *queue_mode(void);
void queue_put(queue_t queue, int n);
int queue_turn(void);
